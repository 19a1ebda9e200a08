import classes from './list.module.css';

interface TickProps {
  label: string;
  isTicked: boolean;
  /** Some of those that it stands for. */
  isPartly?: boolean;
  disabled: boolean;
  onTick: () => void;
}

/** A plain checkbox, because each element counts with many rows. Its click target is larger than its picture. */
export function Tick({ label, isTicked, isPartly = false, disabled, onTick }: TickProps) {
  return (
    <label className={classes.tick}>
      <input
        type="checkbox"
        ref={(box) => {
          if (box !== null) box.indeterminate = isPartly;
        }}
        checked={isTicked}
        disabled={disabled}
        aria-label={label}
        onChange={onTick}
      />
    </label>
  );
}
