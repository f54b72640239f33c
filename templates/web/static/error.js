// A page that is not there has nothing to do.
