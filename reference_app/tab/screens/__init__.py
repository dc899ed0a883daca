"""The screens: what each shows, what a person can do there, and what of that the assistant is offered."""
