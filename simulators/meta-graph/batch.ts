import { z } from 'zod';
import type { Occasion } from '../kit/faults.ts';
import { bodyParams, parseJson } from '../kit/http.ts';
import { authenticate, tokenOf } from './auth.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError, traceId } from './errors.ts';
import type { Graph } from './graph.ts';
import { errorOf, execute, occasionOf, readPath } from './graph.ts';
import type { Operation } from './routes.ts';

const BATCH_MAX = 50;
const batchSchema = z.array(
  z.object({
    method: z.string().default('GET'),
    relative_url: z.string(),
    body: z.string().nullish(),
  }),
);
type BatchOperation = z.infer<typeof batchSchema>[number];

/** POST with `batch`, to any path: each operation has its own result, and the outer response is 200. */
export function executeBatch(graph: Graph, outer: Operation, occasion: Occasion): GraphAnswer {
  const refused = graph.faults.take(['error'], occasion, isForAll);
  if (refused !== null) return errorOf(refused);
  const { app } = graph.state;
  if (tokenOf(outer) !== `${app.id}|${app.secret}`) {
    const who = authenticate(graph.state, outer);
    if ('status' in who) return who;
  }
  const operations = readBatch(outer);
  if (operations === null) return graphError({ code: 100, message: '(#100) param batch must be an array.' });
  if (operations.length > BATCH_MAX) {
    const message = `Too many requests in batch message. Maximum batch size is ${BATCH_MAX}`;
    return { status: 400, body: { error: { message, type: 'GraphBatchException', fbtrace_id: traceId() } } };
  }
  const withHeaders = outer.params.get('include_headers') !== 'false';
  const body = operations.map((one) => {
    const answer = execute(graph, toOperation(one, outer));
    return answer && toEntry(answer, withHeaders);
  });
  const lost = graph.faults.take(['applied_but_error'], occasion, isForAll);
  return lost === null ? { status: 200, body } : errorOf(lost);
}

/** The occasion of a batch combines those of its operations. */
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

/** An error for a campaign applies to that campaign's operation, unless the fault names the batch. */
function isForAll({ match }: { match: { campaign?: string | undefined; op?: string | undefined } }): boolean {
  return match.op === 'outer' || match.campaign === undefined;
}

function readBatch(outer: Operation): BatchOperation[] | null {
  const parsed = batchSchema.safeParse(parseJson(outer.params.get('batch') ?? ''));
  return parsed.success ? parsed.data : null;
}

function toEntry({ status, headers = {}, body }: GraphAnswer, withHeaders: boolean): object {
  const shown = Object.entries(headers).map(([name, value]) => ({ name: headerName(name), value }));
  return { code: status, ...(withHeaders ? { headers: shown } : {}), body: JSON.stringify(body) };
}

const INHERITED = ['access_token', 'appsecret_proof'];

function toOperation(one: BatchOperation, outer: Operation): Operation {
  const [path = '', query = ''] = one.relative_url.split(/\?(.*)/s);
  const own = [...new URLSearchParams(query), ...bodyParams('', one.body ?? '')];
  const inherited = [...outer.params].filter(([name]) => INHERITED.includes(name));
  const { version = outer.version, path: rest } = readPath(path);
  return {
    method: one.method.toUpperCase(),
    version,
    path: rest,
    params: new Map([...inherited, ...own]),
    headers: outer.headers,
    op: 'inner',
  };
}

function headerName(name: string): string {
  return name.replaceAll(
    /(^|-)([a-z])/g,
    (_all, dash: string, letter: string) => dash + letter.toUpperCase(),
  );
}
