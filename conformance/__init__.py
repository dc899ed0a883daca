"""What an implementation of the dual-plane agent stack must do, and the cases that show whether it does."""
