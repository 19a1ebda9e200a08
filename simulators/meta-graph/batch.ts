import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { bodyParams } from '../kit/http.ts';
import { authenticate } from './auth.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import type { Graph, Operation } from './graph.ts';
import { execute } from './graph.ts';

const BATCH_MAX = 50;
const operations = z.array(
  z.object({
    method: z.string().default('GET'),
    relative_url: z.string(),
    body: z.string().optional(),
    name: z.string().optional(),
    headers: z.array(z.string()).optional(),
    omit_response_on_success: z.boolean().optional(),
  }),
);
type BatchOperation = z.infer<typeof operations>[number];

/** POST / with `batch`: every operation is answered by itself, the outer answer is 200. */
export function executeBatch(graph: Graph, outer: Operation): GraphAnswer {
  const who = authenticate(graph.state, outer);
  if (!who.ok) return who.error;
  const parsed = operations.safeParse(parseJson(outer.params.get('batch') ?? ''));
  if (!parsed.success) return graphError({ code: 100, message: '(#100) param batch must be an array.' });
  if (parsed.data.length > BATCH_MAX) {
    const message = `Too many requests in batch message. Maximum batch size is ${BATCH_MAX}`;
    const fbtrace_id = randomBytes(9).toString('base64url');
    return { status: 400, body: { error: { message, type: 'GraphBatchException', fbtrace_id } } };
  }
  const withHeaders = outer.params.get('include_headers') !== 'false';
  const body = parsed.data.map((one) => {
    const answer = execute(graph, toOperation(one, outer));
    if (answer === null) return null;
    if (one.omit_response_on_success === true && answer.status === 200) return null;
    const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => ({
      name: headerName(name),
      value,
    }));
    return {
      code: answer.status,
      ...(withHeaders ? { headers } : {}),
      body: answer.body === null ? null : JSON.stringify(answer.body),
    };
  });
  return { status: 200, body };
}

function toOperation(one: BatchOperation, outer: Operation): Operation {
  const url = new URL(one.relative_url.replace(/^\/?(v\d+\.\d+\/)?/, '/'), 'http://graph');
  const own = new Map([...url.searchParams, ...bodyParams('', one.body ?? '')]);
  const inherited = [...outer.params].filter(([name]) =>
    ['access_token', 'appsecret_proof', 'appsecret_time'].includes(name),
  );
  const headers = Object.fromEntries(
    (one.headers ?? []).map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const authorization = outer.headers['authorization'];
  return {
    method: one.method.toUpperCase(),
    path: url.pathname.slice(1),
    params: new Map([...inherited, ...own]),
    headers: { ...(authorization === undefined ? {} : { authorization }), ...headers },
    op: 'inner',
  };
}

function headerName(name: string): string {
  return name === 'etag'
    ? 'ETag'
    : name.replaceAll(/(^|-)([a-z])/g, (_all, dash: string, letter: string) => dash + letter.toUpperCase());
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
