"""The command line: what is typed becomes calls of the door, their answers lines of text."""
