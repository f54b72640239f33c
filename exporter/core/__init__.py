"""What everything else stands on: problems with places, sentences, names, files, limits, cache."""
