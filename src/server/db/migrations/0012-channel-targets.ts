/** What was answered at a former address says nothing about the new one. */
export const CHANNEL_TARGETS = `
alter table destinations add column target_at timestamptz; -- since when it has another target than at first; null: it has the first one`;
