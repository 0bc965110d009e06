"""The kiosk's web server: pages for the bar's screen and for phones, what they ask for, and who may do what."""
