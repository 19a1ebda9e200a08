import { expect, test } from 'vitest';
import { decodeForm } from './form.ts';

test.each([
  ['a=1&b=two%20words', { a: '1', b: 'two words' }],
  ['line_items[0][price]=p&line_items[0][quantity]=1', { line_items: [{ price: 'p', quantity: '1' }] }],
  ['expand[]=a&expand[]=b', { expand: ['a', 'b'] }],
  ['created[gte]=5&metadata[a.b]=c', { created: { gte: '5' }, metadata: { 'a.b': 'c' } }],
  ['cancel_at=&metadata[x]=', { cancel_at: '', metadata: { x: '' } }],
  ['__proto__[polluted]=1&a=1', { a: '1' }],
  ['', {}],
])('%s', (text, form) => {
  expect(decodeForm(text)).toEqual(form);
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});
