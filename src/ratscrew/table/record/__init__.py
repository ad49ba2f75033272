"""What a table's log holds, and what its clients send and receive: values only."""
