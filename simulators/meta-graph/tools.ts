import { z } from 'zod';
import type { GraphState } from './state.ts';
import { OTHER_TOOL, changeStatus, now } from './state.ts';

/** Also the offsets of all time zones are whole quarters of an hour. */
const QUARTER_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** '23:00' or 'Fri 18:00' in the time zone of the ad account. */
const times = z.array(
  z
    .string()
    .regex(/^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?[0-2]\d:(?:00|15|30|45)$/, "a time such as 'Fri 18:00'"),
);
export const toolBody = z.strictObject({
  off: times,
  on: times,
  /** So long it has worked already. */
  days: z.number().min(0).default(35),
});

/** The activity log gets what the tool has done so far; the campaign becomes what it is after that. It replaces an earlier tool. */
export function plantTool(
  state: GraphState,
  campaign: string,
  { days, ...times }: z.infer<typeof toolBody>,
): void {
  const since = Math.floor((now(state) - days * DAY_MS) / QUARTER_MS) * QUARTER_MS;
  state.tools = [
    ...state.tools.filter((one) => one.campaign !== campaign),
    { ...times, campaign, until: since },
  ];
  runTools(state);
}

/** What the tools do at the times that have passed. */
export function runTools(state: GraphState): void {
  for (const tool of state.tools) {
    const campaign = state.campaigns.get(tool.campaign);
    const timeZone = state.accounts.get(campaign?.account ?? '')?.timezone_name;
    if (campaign === undefined || tool.until + QUARTER_MS > now(state)) continue;
    const clock = { hour: '2-digit', minute: '2-digit' } as const;
    const format = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', ...clock });
    while (tool.until + QUARTER_MS <= now(state)) {
      tool.until += QUARTER_MS;
      const [weekday = '', time = ''] = format.format(tool.until).split(/,? /);
      const isDue = (one: string): boolean => one === time || one === `${weekday} ${time}`;
      const status = tool.off.some(isDue) ? 'PAUSED' : tool.on.some(isDue) ? 'ACTIVE' : null;
      if (status !== null && ['ACTIVE', 'PAUSED'].includes(campaign.status))
        changeStatus(state, campaign, status, OTHER_TOOL, tool.until);
    }
    state.activities.sort((a, b) => a.at - b.at);
  }
}
