/** The campaigns that stay paused since Meta refused their resume for good, which each list of campaigns names. */
export const REFUSED_RESUMES = `
create index holds_resume_refused on holds (user_id, ended_at) where release_reason = 'resume_refused';`;
