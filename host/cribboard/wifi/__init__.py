"""What a board with Wi-Fi has besides: its own page, and the secret that its phones know."""
