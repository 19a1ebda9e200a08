/** An outage's answers of the status page, and what is kept no longer, are found by the last read. */
export const STATUS_FILE_TIMES = `create index status_files_last on status_files (last_at);`;
