import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Occasion } from '../kit/faults.ts';
import { bodyParams, parseJson } from '../kit/http.ts';
import { authenticate, tokenOf } from './auth.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import type { Graph, Operation } from './graph.ts';
import { errorOf, execute, isTooOld, occasionOf, readPath } from './graph.ts';

const BATCH_MAX = 50;
const batchSchema = z.array(
  z.object({
    method: z.string().default('GET'),
    relative_url: z.string(),
    body: z.string().nullish(),
    headers: z.array(z.string()).nullish(),
    omit_response_on_success: z.boolean().nullish(),
  }),
);
type BatchOperation = z.infer<typeof batchSchema>[number];

/** POST with `batch`, to any path: every operation is answered by itself, the outer answer is 200. */
export function executeBatch(graph: Graph, outer: Operation, occasion: Occasion): GraphAnswer {
  const refused = graph.faults.take(['error'], occasion, isForAll);
  if (refused !== null) return errorOf(refused);
  if (isTooOld(outer.version)) return graphError({ code: 2635 });
  const { app } = graph.state;
  if (tokenOf(outer) !== `${app.id}|${app.secret}`) {
    const who = authenticate(graph.state, outer);
    if (!who.ok) return who.error;
  }
  const operations = readBatch(outer);
  if (operations === null) return graphError({ code: 100, message: '(#100) param batch must be an array.' });
  if (operations.length > BATCH_MAX) return tooMany();
  const withHeaders = outer.params.get('include_headers') !== 'false';
  const body = operations.map((one) => answerOne(graph, one, { outer, withHeaders }));
  const lost = graph.faults.take(['applied_but_error'], occasion, isForAll);
  return lost === null ? { status: 200, body } : errorOf(lost);
}

/** What a batch is about: everything that one of its operations is about. */
export function occasionOfBatch(graph: Graph, outer: Operation): Occasion {
  const own = occasionOf(graph.state, outer);
  const inner = (readBatch(outer) ?? []).map((one) => occasionOf(graph.state, toOperation(one, outer)));
  return {
    ...own,
    campaigns: inner.flatMap(({ campaigns = [] }) => campaigns),
    accounts: inner.flatMap(({ accounts = [] }) => accounts),
    users: [...(own.users ?? []), ...inner.flatMap(({ users = [] }) => users)],
  };
}

/** An error aimed at a campaign is for that campaign's operation, unless it is said to be for the batch. */
function isForAll({ match }: { match: { campaign?: string | undefined; op?: string | undefined } }): boolean {
  return match.op === 'outer' || match.campaign === undefined;
}

function readBatch(outer: Operation): BatchOperation[] | null {
  const parsed = batchSchema.safeParse(parseJson(outer.params.get('batch') ?? ''));
  return parsed.success ? parsed.data : null;
}

function tooMany(): GraphAnswer {
  const message = `Too many requests in batch message. Maximum batch size is ${BATCH_MAX}`;
  const fbtrace_id = randomBytes(9).toString('base64url');
  return { status: 400, body: { error: { message, type: 'GraphBatchException', fbtrace_id } } };
}

function answerOne(
  graph: Graph,
  one: BatchOperation,
  { outer, withHeaders }: { outer: Operation; withHeaders: boolean },
): unknown {
  const answer = execute(graph, toOperation(one, outer));
  if (answer === null || (one.omit_response_on_success === true && answer.status === 200)) return null;
  const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => ({
    name: headerName(name),
    value,
  }));
  return {
    code: answer.status,
    ...(withHeaders ? { headers } : {}),
    body: JSON.stringify(answer.body),
  };
}

const INHERITED = ['access_token', 'appsecret_proof', 'appsecret_time'];

function toOperation(one: BatchOperation, outer: Operation): Operation {
  const [path = '', query = ''] = one.relative_url.split(/\?(.*)/s);
  const own = [...new URLSearchParams(query), ...bodyParams('', one.body ?? '')];
  const inherited = [...outer.params].filter(([name]) => INHERITED.includes(name));
  const headers = (one.headers ?? []).map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const authorization = outer.headers['authorization'];
  const { version = outer.version, path: rest } = readPath(path);
  return {
    method: one.method.toUpperCase(),
    version,
    path: rest,
    params: new Map([...inherited, ...own]),
    headers: { ...(authorization === undefined ? {} : { authorization }), ...Object.fromEntries(headers) },
    op: 'inner',
  };
}

function headerName(name: string): string {
  return name.replaceAll(
    /(^|-)([a-z])/g,
    (_all, dash: string, letter: string) => dash + letter.toUpperCase(),
  );
}
