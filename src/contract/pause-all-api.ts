import * as z from 'zod/mini';
import { callsFor } from './endpoint.ts';
import { done, instant } from './shapes.ts';

const { get, post } = callsFor('user');

/** The user's own word that is on, and its chosen end. */
export const word = z.object({ since: instant, until: z.nullable(instant) });

const state = z.object({
  /** Null: nothing is said. */
  word: z.nullable(word),
  /** What it would pause now, or still has to pause, by the rule of the dry run. */
  wouldPause: z.object({ campaigns: z.number(), adAccounts: z.number() }),
  /** SmartPause has paused them for the user, for whatever cause: it keeps them paused. */
  alreadyPaused: z.number(),
  /** Ad accounts whose campaigns could not be read now: there may be more. */
  unread: z.number(),
  /** What it has paused. */
  paused: z.number(),
});

/** 'Pause all now'. A part of its own, which only its dialog loads. */
export const pauseAllApi = {
  pauseAllState: get('/api/pause-all', { reply: state }),
  /** While it is on, only its end changes. */
  pauseAll: post('/api/pause-all', {
    body: z.object({ until: z.nullable(instant) }),
    reply: z.extend(done, { word: z.nullable(word) }),
  }),
  /** Campaigns that an outage keeps paused follow its own rule. */
  resumeAll: post('/api/resume-all', { reply: z.extend(done, { word: z.nullable(word) }) }),
};
