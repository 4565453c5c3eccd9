// The cases of an agent that books tables, whatever it is written in.

export const BOOKING_CASES = `{"id": "books", "input": "A table on Monday, please", "assert": [{"type": "contains", "value": "booked for Monday"}, {"type": "tool_called", "name": "book_table", "arguments": {"day": "Monday"}}]}
{"id": "asks-for-the-day", "turns": [{"input": "A table, please", "assert": {"type": "awaiting_input", "value": true}}, {"input": "Friday", "assert": {"type": "tool_called", "name": "book_table"}}]}
{"id": "books-nothing-unasked", "input": "What do you serve?", "assert": {"type": "tool_not_called", "name": "book_table"}}
`
