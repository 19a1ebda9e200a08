/** Of the stop that goes on, the version before 0013-held-up told users without a mark on their holds. */
export const HELD_UP_TOLD = `
update holds set held_up_since = app_state.since from app_state
where app_state.stopped is not null and holds.ended_at is null and holds.paused_at is not null and holds.held_up_since is null
  and exists (select from activities where activities.user_id = holds.user_id and event = 'held_up'
    and created_at >= app_state.since and campaigns -> holds.campaign_id ->> 'holdId' = holds.id::text)`;
