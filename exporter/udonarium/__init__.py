"""Udonarium's room zips, an edge: write them, read them back, and say what is wrong with one.

``write.write_room`` and ``write.write_loose`` take values of ``model.tabletop`` and give bytes;
``read.read_zip`` leads back; ``verify.verify_zip`` looks at any zip, also one this program did not
make, by ``verify_checks.CHECKS``.
"""
