from .generation import balanced as balanced, contrasts as contrasts
