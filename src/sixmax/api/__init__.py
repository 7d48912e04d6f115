"""The face of sixmax: what ``import sixmax`` offers. The site and the commands use it too."""
