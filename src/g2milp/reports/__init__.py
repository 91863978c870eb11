"""What people look at: the HTML report and its figures."""
