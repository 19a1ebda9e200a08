export type FormValue = string | FormValue[] | { [name: string]: FormValue };
export type Form = Record<string, FormValue>;

type Node = Map<string, Node | string>;

/** Stripe's bracket form: `items[0][price]=x&expand[]=customer`. */
export function decodeForm(text: string): Form {
  const root: Node = new Map();
  for (const [name, value] of new URLSearchParams(text)) {
    const parts = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
    const rest = [...(parts?.[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1] ?? '');
    place(root, [parts?.[1] ?? name, ...rest], value);
  }
  return toObject(root);
}

function place(node: Node, [name = '', ...rest]: string[], value: string): void {
  const key = name === '' ? String(node.size) : name;
  if (rest.length === 0) {
    node.set(key, value);
    return;
  }
  const found = node.get(key);
  const below: Node = found instanceof Map ? found : new Map<string, Node | string>();
  node.set(key, below);
  place(below, rest, value);
}

function toObject(node: Node): Form {
  const fields = [...node].filter(([name]) => name !== '__proto__');
  return Object.fromEntries(fields.map(([name, value]) => [name, toValue(value)]));
}

function toValue(value: Node | string): FormValue {
  if (typeof value === 'string') return value;
  const isList = [...value.keys()].every((name) => /^\d+$/.test(name));
  return isList ? [...value.values()].map(toValue) : toObject(value);
}
