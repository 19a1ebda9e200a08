import type { Campaign } from '#contract/shapes.ts';
import type { CampaignRowProps } from './campaign-row.tsx';

export interface RowsProps {
  campaigns: readonly Campaign[];
  propsOf: (campaign: Campaign) => CampaignRowProps;
}
