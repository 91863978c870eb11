"""What people look at: the HTML report, model cards, figures."""
