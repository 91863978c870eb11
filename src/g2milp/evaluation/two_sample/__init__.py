"""Can generated and real instances be told apart? Classifiers and graded distances."""
