import { useMutation } from '@tanstack/react-query';
import type { OutageFilter, OutagePageReply } from '../../api/outage-queries.ts';
import { readAllCampaigns } from '../../api/outage-queries.ts';
import { saveFile } from '../../browser/save-file.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { sayFailure } from '../../notices.ts';
import { outageCsv } from './csv.ts';

interface DownloadCsvProps {
  outage: OutagePageReply['outage'];
  filter: OutageFilter;
}

/** All campaigns of the outage that pass the filter, also those that the page has not loaded. */
export function DownloadCsv({ outage, filter }: DownloadCsvProps) {
  const { id, startedAt, matchedAt, accounts } = outage;
  const download = useMutation({
    mutationFn: async () => {
      const campaigns = await readAllCampaigns(id, filter);
      const name = `smartpause-outage-${startedAt.slice(0, 10)}.csv`;
      saveFile(name, outageCsv({ matchedAt, accounts, campaigns }), 'text/csv;charset=utf-8');
    },
    onError: (error) => sayFailure('Failed to prepare the CSV file', error),
  });
  return (
    <BusyButton variant="default" size="sm" isBusy={download.isPending} onClick={() => download.mutate()}>
      {download.isPending ? 'Preparing…' : 'Download CSV'}
    </BusyButton>
  );
}
