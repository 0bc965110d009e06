"""The kiosk's web server: pages for the bar's screen and for phones, their API, and who may do what."""
