"""A host that re-enacts the habits of one known implementation, its departures from the founding documents included.

It stands in for an application generated from the create-dpas-app template, which can't be installed here: the suite that is run
against it must report each of those departures, and nothing else. It shares no code with the reference app or the suite.
"""
