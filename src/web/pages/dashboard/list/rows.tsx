import type { RowsProps } from './campaign-row.tsx';
import { CampaignRow } from './campaign-row.tsx';
import { VirtualRows } from './virtual-rows.tsx';

/** From this many rows only the visible ones are rendered. */
const MANY = 60;

export function Rows(props: RowsProps) {
  const { campaigns, propsOf } = props;
  if (campaigns.length > MANY) return <VirtualRows {...props} />;
  return (
    <div role="rowgroup">
      {campaigns.map((campaign) => (
        <CampaignRow key={campaign.id} {...propsOf(campaign)} />
      ))}
    </div>
  );
}
