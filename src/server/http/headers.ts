import { NOTHING } from './routes/content-policy.ts';

const A_YEAR_S = 365 * 24 * 60 * 60;

/** What a browser could let a page do, and none of ours needs. A name that Chromium does not know it complains of on every page. */
const NO_PERMISSIONS = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * What every answer has, also one that is given before there is a request. Whatever is not known to be a page or a file
 * is taken for somebody's own: pages have a policy of theirs, and only files may be kept.
 */
export function safetyHeaders({ isEncrypted }: { isEncrypted: boolean }): Record<string, string> {
  return {
    'content-security-policy': NOTHING,
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': NO_PERMISSIONS,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    ...(isEncrypted ? { 'strict-transport-security': `max-age=${A_YEAR_S}; includeSubDomains` } : {}),
  };
}
