import { activity } from './areas/activity.ts';
import { admin } from './areas/admin.ts';
import { billing } from './areas/billing.ts';
import { checkout } from './areas/checkout.ts';
import { dangerZone } from './areas/danger-zone.ts';
import { dashboard } from './areas/dashboard.ts';
import { header } from './areas/header.ts';
import { landing } from './areas/landing.ts';
import { list } from './areas/list.ts';
import { outage } from './areas/outage.ts';
import { pricing } from './areas/pricing.ts';
import { publicPages } from './areas/public-pages.ts';
import { settings } from './areas/settings.ts';
import { shortcuts } from './areas/shortcuts.ts';
import { trying } from './areas/trying.ts';
import type { Area } from './state.ts';

/** Pages for visitors. */
export const VISITORS: readonly Area[] = [landing, publicPages, header];
export const BUYING: readonly Area[] = [pricing, checkout];
export const CAMPAIGNS: readonly Area[] = [dashboard, list, outage, activity];
export const SETTINGS: readonly Area[] = [settings, trying, billing, dangerZone, shortcuts];
export const ADMINISTRATION: readonly Area[] = [admin];

/** Every page of the product in every state. */
export const CATALOGUE: readonly Area[] = [
  ...VISITORS,
  ...BUYING,
  ...CAMPAIGNS,
  ...SETTINGS,
  ...ADMINISTRATION,
];
