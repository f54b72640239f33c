"""Rules for people: reports of what was checked, explanations, suggestions, cases."""
