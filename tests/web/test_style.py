"""The sheet follows the colors in which pictures are drawn."""

from ensue.reports.pictures import theme


def test_sheet_knows_the_colors_of_pictures(root):
    sheet = (root / "src/ensue/web/static/style.css").read_text("utf-8")
    for color in (theme.PAPER, theme.INK, theme.FAINT, theme.GRID, theme.PALETTE[0]):
        assert f'"{color}"' in sheet, color


def test_sheet_asks_for_nothing_elsewhere(root):
    sheet = (root / "src/ensue/web/static/style.css").read_text("utf-8")
    assert "@import" not in sheet
    assert "url(" not in sheet
