import { z } from 'zod';
import type { Faults } from './faults.ts';
import { faultSchema } from './faults.ts';
import type { SimAnswer, SimRequest, SimServer } from './http.ts';
import { html, json, listen, parseJson } from './http.ts';
import { RequestLog } from './request-log.ts';

export interface ControlRoute {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below /_sim; `:id` matches one path segment. */
  path: string;
  run: (given: { text: string; id: string }) => unknown;
}

export interface SimulatorOptions {
  port?: number;
  host?: string;
}

interface Sides {
  outside: (request: SimRequest) => Promise<SimAnswer>;
  control: ControlRoute[];
  page: () => string;
  reset: () => void;
}

/** An invalid request to the control API. */
export class ControlError extends Error {}

export const clockBody = z.strictObject({ offsetMs: z.number() });

/** The object with this id, or an error. */
export function required<T>(map: ReadonlyMap<string, T>, kind: string, id: string): T {
  const found = map.get(id);
  if (found === undefined) throw new ControlError(`there is no ${kind} ${id}`);
  return found;
}

/** A control without a body. */
export function ask(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  run: (id: string) => unknown,
): ControlRoute {
  return { method, path, run: ({ id }) => run(id) };
}

/** A control with a JSON body. */
export function order<T>(
  path: string,
  body: z.ZodType<T>,
  run: (body: T, id: string) => unknown,
): ControlRoute {
  return { method: 'POST', path, run: ({ text, id }) => run(readBody(body, text), id) };
}

function readBody<T>(schema: z.ZodType<T>, text: string): T {
  const given = text === '' ? {} : parseJson(text);
  if (given === undefined) throw new ControlError('the body is no JSON');
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new ControlError(z.prettifyError(parsed.error));
  return parsed.data;
}

/** Starts a simulator: the simulated service, and a control API at `/_sim`. */
export async function startSimulator(
  { port = 0, host = '127.0.0.1' }: SimulatorOptions,
  faults: Faults,
  sides: Sides,
): Promise<SimServer> {
  const log = new RequestLog();
  const routes = [...sides.control, ...commonControls(faults, log, sides.reset)];
  const server = await listen({ port, host }, async (request) => {
    if (!/^\/_sim(\/|$)/.test(request.path)) return log.around(request, () => sides.outside(request));
    return request.path === '/_sim' ? html(200, sides.page()) : control(routes, request);
  });
  return {
    ...server,
    close: () => {
      faults.drop();
      return server.close();
    },
  };
}

function commonControls(faults: Faults, log: RequestLog, reset: () => void): ControlRoute[] {
  return [
    ask('GET', '/requests', () => ({ requests: log.entries })),
    ask('GET', '/requests/tally', () => log.tally),
    ask('DELETE', '/requests', () => log.clear()),
    ask('GET', '/faults', () => ({ faults: faults.list() })),
    order('/faults', faultSchema(faults.kinds), (body) => faults.add(body)),
    ask('DELETE', '/faults', () => faults.removeAll()),
    ask('DELETE', '/faults/:id', (id) => faults.remove(Number(id))),
    ask('POST', '/faults/:id/release', (id) => faults.release(Number(id))),
    ask('POST', '/reset', () => {
      faults.drop();
      log.clear();
      reset();
    }),
  ];
}

async function control(routes: readonly ControlRoute[], request: SimRequest): Promise<SimAnswer> {
  const path = request.path.slice('/_sim'.length);
  for (const route of routes) {
    const found = new RegExp(`^${route.path.replace(':id', '([^/]+)')}$`).exec(path);
    if (found === null || route.method !== request.method) continue;
    try {
      return json(200, (await route.run({ text: request.body, id: found[1] ?? '' })) ?? { done: true });
    } catch (error) {
      if (error instanceof ControlError) return json(400, { error: error.message });
      throw error;
    }
  }
  return json(404, { error: `no control ${request.method} ${request.path}` });
}
