"""What developers run beside the product: mutants and pictures."""
