import { describe, expect, test } from 'vitest';
import { idCell, toCsv } from './csv.ts';

describe('[HIST-02] a cell of the CSV file', () => {
  test.each([
    ['Shoes', 'Shoes'],
    ['', ''],
    ['Shoes, Hats', '"Shoes, Hats"'],
    ['The "best" shoes', '"The ""best"" shoes"'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tcmd', "'\tcmd"],
    ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
    ['a=b', 'a=b'],
    ['Größe 漢字', 'Größe 漢字'],
  ])('%j', (value, expected) => {
    expect(toCsv([[value, 'x']])).toBe(`\uFEFF${expected},x\r\n`);
  });
});

test.each([
  ['120210000000000815', '"=""120210000000000815"""'],
  ['act_815', 'act_815'],
  ['=1+1', "'=1+1"],
  ['815"', '"815"""'],
])('[HIST-02, SPEND-04] the id %j stays text', (id, expected) => {
  expect(toCsv([[idCell(id)]])).toBe(`\uFEFF${expected}\r\n`);
});
