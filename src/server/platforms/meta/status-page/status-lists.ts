import { z } from 'zod';

const id = z.union([z.number(), z.string()]).transform(String);
const service = z.object({ id, name: z.string(), status: z.string() });
const product = z.object({
  id: z.string(),
  name: z.string().optional().catch(undefined),
  /** One that is not understood hides no other one. */
  services: z.array(z.unknown()).transform((all) => all.flatMap((one) => service.safeParse(one).data ?? [])),
});
export type Product = z.infer<typeof product>;

/** ISO text, epoch seconds or epoch milliseconds: all three are documented somewhere. 0: unknown. */
const time = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((given) => {
    if (typeof given === 'number') return given < 1e11 ? given * 1000 : given;
    const parsed = Date.parse(given ?? '');
    return Number.isNaN(parsed) ? 0 : parsed;
  });
/** An outage of one service; its posts are in the order of their times. */
export const outage = z.object({
  id: id.optional().catch(undefined),
  service_id: id,
  status: z.string(),
  time,
  posts: z
    .array(z.object({ status: z.string(), time }))
    .default([])
    .transform((posts) => posts.toSorted((a, b) => a.time - b.time)),
});

export function understoodProducts(orgs: readonly unknown[]): Product[] {
  return orgs.flatMap((item) => product.safeParse(item).data ?? []);
}

export function sameName(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
