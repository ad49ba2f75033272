"""The live table: who sits there, whose clock runs, who slapped first. asyncio from here upwards only."""
