"""Modules by their texts alone: `exports` (what others see of one), `reach` (where specifiers may lead)."""
