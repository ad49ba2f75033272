// Animations of elements. Where the browser has none, an element is at once as it is to be.

/** An animation that has its end without having been seen. */
function ended(): Animation {
  const still = { startTime: null, playState: 'finished', cancel() {}, finished: Promise.resolve() }
  return still as unknown as Animation
}

/** Starts an animation. */
export function animate(
  element: Element,
  frames: Keyframe[] | PropertyIndexedKeyframes,
  options: number | KeyframeAnimationOptions,
): Animation {
  try {
    const animation = element.animate(frames, options) as Animation | undefined
    return typeof animation?.cancel === 'function' ? animation : ended()
  } catch {
    return ended()
  }
}

/** The same, as if it had started with the frame that is being drawn: the browser does not ask for one to find out. */
export function animateNow(
  element: Element,
  frames: Keyframe[] | PropertyIndexedKeyframes,
  options: number | KeyframeAnimationOptions,
): Animation {
  const animation = animate(element, frames, options)
  try {
    animation.startTime = document.timeline.currentTime
  } catch {
    // It starts with the next frame.
  }
  return animation
}

/** Resolves when an animation has ended or was cancelled, if the browser says so. */
export const whenEnded = async (animation: Animation): Promise<void> =>
  void (await Promise.resolve(animation.finished).catch(() => undefined))
