"""The command line: what is typed becomes calls of the library, their answers lines of text."""
