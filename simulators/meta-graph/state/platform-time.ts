const formats = new Map<string, Intl.DateTimeFormat>();

/** '2026-03-16T19:30:00-0400': local to the zone, the offset without a colon. */
export function platformTime(at: number, zone: string): string {
  const parts = Object.fromEntries(
    formatFor(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, second, timeZoneName = '' } = parts;
  const offset = timeZoneName.replace('GMT', '').replace(':', '') || '+0000';
  return `${year ?? ''}-${month ?? ''}-${day ?? ''}T${hour ?? ''}:${minute ?? ''}:${second ?? ''}${offset}`;
}

function formatFor(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  });
  formats.set(zone, format);
  return format;
}

export function isTimeZone(zone: string): boolean {
  try {
    formatFor(zone);
    return true;
  } catch {
    return false;
  }
}

/** Unix seconds or a date, as `since` and `until` take them. Undefined: not understood. */
export function readMoment(text: string): number | undefined {
  const at = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
