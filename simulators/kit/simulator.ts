import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Faults} from './faults.ts';
import { faultBody } from './faults.ts';
import type { SimAnswer, SimRequest, SimServer } from './http.ts';
import { html, json, listen } from './http.ts';
import type { RequestLog } from './request-log.ts';

export interface ControlRoute {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below /_sim; `:id` stands for one part of the path. */
  path: string;
  body?: z.ZodType;
  handle: (given: { body: unknown; id: string }) => unknown;
}

export interface Parts {
  faults: Faults;
  log: RequestLog;
}

export interface SimulatorOptions {
  port?: number;
  host?: string;
}

/** A simulator: the outside world on one side, a control door `/_sim` on the other. */
export function startSimulator(
  options: SimulatorOptions,
  parts: Parts,
  sides: {
    outside: (request: SimRequest) => Promise<SimAnswer>;
    control: ControlRoute[];
    page: () => string;
    reset: () => void;
  },
): Promise<SimServer> {
  const common: ControlRoute[] = [
    { method: 'GET', path: '/requests', handle: () => ({ requests: parts.log.entries() }) },
    { method: 'DELETE', path: '/requests', handle: () => parts.log.clear() },
    { method: 'GET', path: '/faults', handle: () => ({ faults: parts.faults.list() }) },
    {
      method: 'POST',
      path: '/faults',
      body: faultBody,
      handle: ({ body }) => parts.faults.add(body as never),
    },
    { method: 'DELETE', path: '/faults', handle: () => parts.faults.remove(null) },
    { method: 'DELETE', path: '/faults/:id', handle: ({ id }) => parts.faults.remove(Number(id)) },
    { method: 'POST', path: '/faults/:id/release', handle: ({ id }) => parts.faults.release(Number(id)) },
    {
      method: 'POST',
      path: '/reset',
      handle: () => {
        parts.faults.remove(null);
        parts.log.clear();
        sides.reset();
      },
    },
  ];
  const routes = [...sides.control, ...common];
  return listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1' }, async (request) => {
    if (request.path === '/_sim' && request.method === 'GET') return html(200, sides.page());
    if (request.path.startsWith('/_sim')) return control(routes, request);
    return parts.log.around(request, () => sides.outside(request));
  });
}

function control(routes: readonly ControlRoute[], request: SimRequest): SimAnswer {
  const path = request.path.slice('/_sim'.length);
  for (const route of routes) {
    const found = new RegExp(`^${route.path.replace(':id', '([^/]+)')}$`).exec(path);
    if (found === null || route.method !== request.method) continue;
    const body = readBody(route, request);
    if (!body.ok) return json(400, { error: body.message });
    return json(200, route.handle({ body: body.value, id: found[1] ?? '' }) ?? { done: true });
  }
  return json(404, { error: `no control ${request.method} ${request.path}` });
}

function readBody(
  route: ControlRoute,
  request: SimRequest,
): { ok: true; value: unknown } | { ok: false; message: string } {
  if (route.body === undefined) return { ok: true, value: undefined };
  try {
    const parsed = route.body.safeParse(request.body === '' ? {} : JSON.parse(request.body));
    return parsed.success
      ? { ok: true, value: parsed.data }
      : { ok: false, message: z.prettifyError(parsed.error) };
  } catch {
    return { ok: false, message: 'the body is no JSON' };
  }
}

/** How slowly the simulator answers. */
export async function linger(ms: number): Promise<void> {
  if (ms > 0) await sleep(ms);
}
