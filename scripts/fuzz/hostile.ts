import * as fc from 'fast-check';

/** Texts that have broken programs before. */
const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  '\u202eevil\u202c',
  '\u200b\u200d\ufeff',
  'e\u0301\u0327\u0300'.repeat(20),
  '👩‍👩‍👧‍👦🏴‍☠️',
  'ﷺ',
  'ı İ ß ſ',
  '\u2028\u2029',
  '١٢٣',
  '１２３',
  "' or 1=1 --",
  "'; drop table person; --",
  '\\',
  '$1',
  '%s%n%x',
  '${7*7}{{7*7}}<%= 7*7 %>',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  'a\r\nset-cookie: a=b',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data',
  '//evil.example',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'true',
  'NaN',
  '-1',
  '0x10',
  '1e309',
  '9'.repeat(400),
  '9223372036854775807',
  '9223372036854775808',
  'x'.repeat(300),
  'x'.repeat(70_000),
  '\u00e9'.repeat(3000),
  '(a+)+$'.repeat(50),
];

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53) - 2,
  1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
];

/** JSON as text that no serializer would write. */
const RAW_JSON = [
  '',
  ' ',
  '{',
  '[',
  '"',
  '{"a":1,}',
  "{'a':1}",
  '{"a":1}{"b":2}',
  'nul',
  'NaN',
  'Infinity',
  '01',
  '1e999',
  '-',
  '\ufeff{}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"\\u005f_proto__":{}}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  '{"enabled":true,"enabled":false}',
  '{"planType":"monthly","planType":"yearly"}',
  '{"confirmation":"no","confirmation":"DELETE MY ACCOUNT"}',
  '{"a":"\t"}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000),
  `[${'1,'.repeat(30_000)}1]`,
  `{"a":"${'x'.repeat(70_000)}"}`,
  `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":1`).join(',')}}`,
];

export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme-composite', maxLength: 40 }) },
);

const hostileNumber = fc.oneof(fc.constantFrom(...NUMBERS), fc.double(), fc.integer());
const hostileKey = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'then', 'toJSON', ''),
  hostileText,
);

const deep = fc.integer({ min: 1, max: 2000 }).map((depth) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
});

export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { depthSize: 'small' },
  hostileText,
  hostileNumber,
  fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], { toString: 1 }, { length: -1 }),
  fc.jsonValue({ noUnicodeString: false }),
  deep,
  fc.array(fc.integer(), { minLength: 200, maxLength: 3000 }),
  fc.dictionary(hostileKey, fc.oneof(hostileText, hostileNumber), { maxKeys: 5 }),
);

/** The body as bytes in latin1. */
export const hostileBody: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...RAW_JSON).map(utf8),
  hostileJson.map((value) => utf8(JSON.stringify(value))),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom(
    '{"a":"\xff\xfe"}',
    '\x1f\x8b\x08\x00\x00\x00\x00\x00',
    '\xff\xfe{\x00}\x00',
    '{"a":"\xc0\x80"}',
  ),
);

/** Bytes are kept as a text of one character each: so a request can be shown and shrunk as what it is. */
export function utf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
