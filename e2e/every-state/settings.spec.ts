import { SETTINGS } from '../catalogue/catalogue.ts';
import { everyState } from '../catalogue/every-state.ts';

everyState(SETTINGS);
