/** A load generator with many clients. Reads its order as JSON from stdin, writes the result to stdout. */
import { text } from 'node:stream/consumers';
import { Pool } from 'undici';
import { z } from 'zod';

const order = z.object({
  origin: z.url(),
  clients: z.number().int(),
  requests: z.number().int(),
  /** Sent in this order, repeatedly. */
  asked: z.array(z.object({ path: z.string(), headers: z.record(z.string(), z.string()) })),
});
export type Order = z.infer<typeof order>;
export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const { origin, clients, requests, asked } = order.parse(JSON.parse(await text(process.stdin)));
const pool = new Pool(origin, { connections: clients });
const took: number[] = [];
let sent = 0;

const ask = async (): Promise<void> => {
  while (sent < requests) {
    const one = asked[sent % asked.length];
    if (one === undefined) throw new Error('nothing to ask for');
    sent += 1;
    const began = performance.now();
    const answer = await pool.request({ method: 'GET', path: one.path, headers: one.headers });
    const body = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${one.path}: ${answer.statusCode} ${body}`);
    took.push(performance.now() - began);
  }
};

const began = performance.now();
await Promise.all(Array.from({ length: clients }, ask));
const seconds = (performance.now() - began) / 1000;
await pool.close();
const sorted = took.toSorted((a, b) => a - b);
const at = (share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
process.stdout.write(JSON.stringify({ perSecond: requests / seconds, p50Ms: at(0.5), p99Ms: at(0.99) }));
