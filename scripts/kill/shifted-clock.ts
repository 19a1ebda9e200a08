/**
 * Loaded into a process before its program (`node --import`): the clock of that process can be put forwards and back,
 * as a machine's clock can. Timers go on as they do when that happens. The offset is CLOCK_OFFSET_MS, then whatever
 * the parent sends.
 */
let offsetMs = Number(process.env['CLOCK_OFFSET_MS'] ?? 0);
const realNow = Date.now.bind(Date);
const now = (): number => realNow() + offsetMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, given: unknown[], made) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, made) as object,
  get: (target, key): unknown => (key === 'now' ? now : Reflect.get(target, key)),
});

process.on('message', (message: unknown) => {
  if (typeof message === 'number') offsetMs = message;
});
process.channel?.unref();
