from .continuous_api import ContinuousBatchingManager, ContinuousBatchProcessor  # as the real package offers them
