"""toolgraft side by side with what people use today: ratios, measured in one run."""
