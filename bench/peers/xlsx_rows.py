# Writes as many rows as bench/xlsx.mjs, of the same 20 columns, with XlsxWriter in constant memory.
import datetime
import sys

import xlsxwriter

rows = int(sys.argv[2])
book = xlsxwriter.Workbook("peer.xlsx", {"constant_memory": True, "default_date_format": "yyyy-mm-dd"})
sheet = book.add_worksheet()
bold = book.add_format({"bold": True})
sheet.write_row(0, 0, [f"column {column}" for column in range(20)], bold)
first = datetime.datetime(2024, 1, 1)
for i in range(rows):
    texts = [f"Post {i} of the workspace", f"campaign {i % 50}", ("Image", "Video", "Text")[i % 3]]
    times = [first + datetime.timedelta(days=i % 700), first + datetime.timedelta(minutes=i)]
    counts = [i * (column + 7) % 9973 for column in range(10)]
    figures = [i * (column / 10 + 0.17) for column in range(4)]
    sheet.write_row(i + 1, 0, [i, *texts, *times, *counts, *figures])
book.close()
